// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// What the EVM benchmark runs: a token, an exchange of two tokens, and bare arithmetic.
contract Token {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply;

    event Transfer(address indexed from, address indexed to, uint256 amount);
    event Approval(address indexed owner, address indexed spender, uint256 amount);

    function mint(address to, uint256 amount) external {
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        move(from, to, amount);
        return true;
    }

    function move(address from, address to, uint256 amount) private {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}

contract Exchange {
    Token public immutable first;
    Token public immutable second;
    uint112 private firstReserve;
    uint112 private secondReserve;

    event Swap(address indexed trader, uint256 paid, uint256 received);

    constructor(Token first_, Token second_) {
        first = first_;
        second = second_;
    }

    function sync() public {
        firstReserve = uint112(first.balanceOf(address(this)));
        secondReserve = uint112(second.balanceOf(address(this)));
    }

    function swap(uint256 paid, uint256 least) external returns (uint256 received) {
        first.transferFrom(msg.sender, address(this), paid);
        uint256 paidLessFee = paid * 997;
        received = (paidLessFee * secondReserve) / (uint256(firstReserve) * 1000 + paidLessFee);
        require(received >= least, "too little");
        second.transfer(msg.sender, received);
        uint256 firstBalance = first.balanceOf(address(this));
        uint256 secondBalance = second.balanceOf(address(this));
        uint256 productBefore = uint256(firstReserve) * secondReserve;
        require(firstBalance * secondBalance >= productBefore, "product shrank");
        sync();
        emit Swap(msg.sender, paid, received);
    }
}

contract Arithmetic {
    function run(uint256 rounds) external pure returns (uint256 x) {
        x = 1;
        for (uint256 i = 0; i < rounds; i++) {
            unchecked {
                x = ((x * 6364136223846793005 + i) ^ (x >> 17)) % 0xffffffffffffffffffffffffffffff61;
            }
        }
    }
}
