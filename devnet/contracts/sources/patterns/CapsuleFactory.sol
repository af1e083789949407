// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {TimeCapsule} from "./TimeCapsule.sol";

/// @title The maker of time capsules
/// @notice Buries capsules with CREATE2: the address of one is known before it exists, from its salt and contents.
contract CapsuleFactory {
    event Buried(address indexed capsule, address indexed owner, bytes32 salt, uint256 opensAt);

    /// @notice Buries the value sent along in a new capsule for the caller, to be opened from `opensAt` on.
    function bury(bytes32 salt, uint256 opensAt, string calldata note) external payable returns (TimeCapsule capsule) {
        capsule = new TimeCapsule{salt: salt, value: msg.value}(msg.sender, opensAt, note);
        emit Buried(address(capsule), msg.sender, salt, opensAt);
    }

    /// @notice Where `bury` would put this capsule if `owner` called it.
    function addressOf(address owner, bytes32 salt, uint256 opensAt, string calldata note)
        external
        view
        returns (address)
    {
        bytes32 codeHash =
            keccak256(abi.encodePacked(type(TimeCapsule).creationCode, abi.encode(owner, opensAt, note)));
        bytes32 digest = keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, codeHash));
        return address(uint160(uint256(digest)));
    }
}
